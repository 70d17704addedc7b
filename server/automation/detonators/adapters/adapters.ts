import type { Adapter } from '../adapter.ts'
import { cape } from './cape/cape.ts'
import { hybridAnalysis } from './hybrid-analysis/hybrid-analysis.ts'
import { joe } from './joe/joe.ts'
import { triage } from './triage/triage.ts'

/** The sandboxes that samples can be sent to. */
export const adapters: readonly Adapter[] = [cape, triage, joe, hybridAnalysis]
