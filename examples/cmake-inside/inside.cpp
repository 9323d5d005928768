extern "C" int scale(float *values, int count, float by);

extern "C" int halve(float *values, int count) { return scale(values, count, 0.5F); }
