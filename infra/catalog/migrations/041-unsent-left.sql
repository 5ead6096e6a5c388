-- What is recorded and not on the log yet is asked for before each append: it goes first (issue 8).
create index unsent_left on unsent (at) where payload is not null;
