-- Why the last attempt of a follower failed; both are null once it has succeeded again.
alter table followers
  add column last_error text,
  add column failed_at timestamptz;
