"""Controlled tasks with known answers: what a method must find, because the data allow nothing else."""
