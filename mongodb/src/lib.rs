//! The bus in MongoDB, for agents on many machines.
