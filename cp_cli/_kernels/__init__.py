"""All that Numba compiles, and the tables it reads. Arrays in, arrays out; no checks."""
