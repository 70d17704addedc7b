import { sql } from 'kysely'
import { wireTime } from '../../search/sql/columns.ts'

/** The meta of the entity `t` as versions keep it: whole, as it was sent. */
export const metaAsSent = sql`t.meta || jsonb_build_object(
  'half_life', t.half_life,
  'estimated_threat_start_time', ${wireTime(sql`t.threat_start`)},
  'estimated_threat_end_time', ${wireTime(sql`t.threat_end`)},
  'estimated_observed_time', ${wireTime(sql`t.observed`)},
  'tags', t.tags,
  'taxonomies', array(select l.target from entity_taxonomies as l where l.source = t.id order by 1),
  'attacks', t.attacks)`
