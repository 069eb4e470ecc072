"""The parts of `bench/faults`: servers that can be broken, clients that record their responses, and the judge."""
