# SPDX-License-Identifier: Apache-2.0
# Run by CPack after it installed into the staging directory, before it packs that.
execute_process(
  COMMAND ${CPACK_CUDACC_PYTHON} -B ${CPACK_CUDACC_SOURCE}/packaging/stage.py ${CPACK_GENERATOR}
          ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr ${CPACK_RPM_CHANGELOG_FILE}
          ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE} ${CPACK_PACKAGE_CONTACT}
  COMMAND_ERROR_IS_FATAL ANY)
