-- A detonation that ended for one requester alone goes on for the others. What is known of it at that time is what this requester keeps seeing.
alter table detonation_requesters
  add column ended_at timestamptz,
  add column submitted_at timestamptz,
  add column vendor_url text,
  add column was_known boolean not null default false;
