"""What computes: rules' contract, notation, records, ratings. No clock, no lots, no await, no Discord, no database."""
