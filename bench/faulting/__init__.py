"""What `bench/faults` is made of: servers that can be broken, clients that write down what they were told, and the judge."""
