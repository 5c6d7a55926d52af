"""Equity by playing deals out."""
