/**
 * Where a detonation stands. WAITING: for its turn, or for the next day if the limit of this one is reached. CHECKING: the vendor is asked
 * whether it knows the sample. SUBMITTING: the sample is sent. RUNNING: the vendor analyses it. REPORTING: the report is fetched and
 * stored. REFUSED: it may no longer be submitted.
 */
export const STATES = [
  'WAITING',
  'CHECKING',
  'SUBMITTING',
  'RUNNING',
  'REPORTING',
  'FINISHED',
  'FAILED',
  'REFUSED',
  'CANCELLED',
] as const

export type State = (typeof STATES)[number]

/** The states in which something is still to be done. */
export const UNDER_WAY = STATES.slice(0, 5)
