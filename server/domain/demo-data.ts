/** The tag that marks demo intelligence. */
export const DEMO_TAG = 'corvus-demo'

/** Maximum number of demo entities loaded from the web interface. The command line has no limit. */
export const MAX_DEMO_ENTITIES = 5_000

/** The permissions needed to load demo data, which is written in the name of the caller. */
export const DEMO_PERMISSIONS = [
  'modify entities',
  'modify extracts',
  'modify taxonomies',
  'modify configurations',
] as const
