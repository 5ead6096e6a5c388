-- The platforms that a brand's products must be valid for to be feed-ready; none: Google (schemas/feeds/required-bits.ts).
alter table brand add column platforms text[] not null default '{}';
