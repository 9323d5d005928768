// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/Coverage.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::policy;
using core::DeviceImage;
using core::ImageKind;
using versions::Arch;

static DeviceImage image(ImageKind kind, Arch arch, bool relocatable = true) {
  DeviceImage image;
  image.kind = kind;
  image.arch = arch;
  image.relocatable = relocatable && kind == ImageKind::Cubin;
  return image;
}

TEST(LinkableImage, cubinsAreRelocatableAndRunThere) {
  EXPECT_TRUE(isLinkable(image(ImageKind::Cubin, {80}), {86}));
  EXPECT_FALSE(isLinkable(image(ImageKind::Cubin, {80}), {90}));
  EXPECT_FALSE(isLinkable(image(ImageKind::Cubin, {86}), {80}));
  EXPECT_FALSE(isLinkable(image(ImageKind::Cubin, {80}, false), {80}));
}

TEST(LinkableImage, ptxAndLtoIrServeLaterArchitectures) {
  for (ImageKind kind : {ImageKind::Ptx, ImageKind::LtoIr}) {
    EXPECT_TRUE(isLinkable(image(kind, {80}), {120}));
    EXPECT_FALSE(isLinkable(image(kind, {90}), {80}));
    EXPECT_TRUE(isLinkable(image(kind, {90, 'a'}), {90, 'a'}));
    EXPECT_FALSE(isLinkable(image(kind, {90, 'a'}), {100}));
  }
  // LTO-IR in a file of its own does not say.
  EXPECT_TRUE(isLinkable(image(ImageKind::LtoIr, {}), {80}));
  EXPECT_FALSE(isLinkable(image(ImageKind::Ptx, {}), {80}));
  EXPECT_FALSE(isLinkable(image(ImageKind::Unknown, {80}), {80}));
}

static ImageKind chosen(std::initializer_list<DeviceImage> images, bool lto) {
  const DeviceImage *found = linkableImage(images, {90}, lto);
  return found ? found->kind : ImageKind::Unknown;
}

TEST(LinkableImage, machineCodeIsPreferredWithoutLto) {
  DeviceImage cubin = image(ImageKind::Cubin, {90}), ptx = image(ImageKind::Ptx, {80}),
              lto = image(ImageKind::LtoIr, {80});
  EXPECT_EQ(chosen({lto, ptx, cubin}, false), ImageKind::Cubin);
  EXPECT_EQ(chosen({lto, ptx}, false), ImageKind::Ptx);
  EXPECT_EQ(chosen({lto}, false), ImageKind::LtoIr);
  EXPECT_EQ(chosen({ptx, cubin, lto}, true), ImageKind::LtoIr);
  EXPECT_EQ(chosen({image(ImageKind::Cubin, {80})}, false), ImageKind::Unknown);
}

TEST(LinkableImage, theNearestArchitectureWins) {
  std::vector<DeviceImage> images = {image(ImageKind::Ptx, {80}), image(ImageKind::Ptx, {86}),
                                     image(ImageKind::Ptx, {100})};
  EXPECT_EQ(linkableImage(images, {90}, false), &images[1]);
  EXPECT_EQ(linkableImage(images, {75}, false), nullptr);
  std::swap(images[0], images[1]);
  EXPECT_EQ(linkableImage(images, {90}, false), &images[0]) << "in any order";
  images[1] = images[0];
  EXPECT_EQ(linkableImage(images, {90}, false), &images[0]) << "the first of equal ones";
}
