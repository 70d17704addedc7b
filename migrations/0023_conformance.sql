-- States of observables that outgoing feeds allow become objects, as clients send them.

alter table outgoing_feeds add column allowed_states jsonb not null default '[]';
update outgoing_feeds as t
set allowed_states = (
  select jsonb_agg(
    case s.state
      when 'safe' then '{"classification": "good"}'::jsonb
      when 'unknown' then '{"classification": "unknown"}'::jsonb
      else jsonb_build_object('classification', 'bad', 'confidence', s.state)
    end
    order by s.place)
  from unnest(t.allowed_extract_states) with ordinality as s(state, place))
where cardinality(t.allowed_extract_states) > 0;
alter table outgoing_feeds drop column allowed_extract_states;
alter table outgoing_feeds rename column allowed_states to allowed_extract_states;

-- Content types that are no longer accepted never told anything: without them, feeds can be sent back as they are answered.
update incoming_feeds
set content_type = null
where content_type <> all (array[
  'urn:oasis:stix:json:2.1', 'urn:oasis:stix:json:2.0', 'urn:stix.mitre.org:xml:1.2', 'urn:stix.mitre.org:xml:1.1.1',
  'urn:stix.mitre.org:xml:1.1', 'urn:stix.mitre.org:xml:1.0.1', 'urn:stix.mitre.org:xml:1.0', 'urn:misp:json:1.0',
  'urn:eclecticiq.com:json:3.2', 'urn:eclecticiq.com:json:2.0', 'urn:eclecticiq.com:csv-entities:1.0',
  'urn:eclecticiq.com:csv-extracts:1.0']);
