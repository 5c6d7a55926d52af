"""Tests of cpoker, one file a module."""
