/** The tag that tells invented intelligence from everything else. */
export const DEMO_TAG = 'corvus-demo'

/** So many entities are loaded at most from the web interface; the command line takes any number. */
export const MOST_DEMO_ENTITIES = 5_000

/** What one has to be allowed to load it: all that it has is written in one's own name. */
export const DEMO_PERMISSIONS = [
  'modify entities',
  'modify extracts',
  'modify taxonomies',
  'modify configurations',
] as const
