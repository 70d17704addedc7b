import { call } from '../../api/call.ts'
import type { Forecast } from '../enrichers/enricher-queries.ts'

/** Says what a rule would look up among existing data. */
export const readPreview = async (data: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Forecast> =>
  (await call<{ data: Forecast }>('POST', 'enrichment-rules/preview', { data }, signal)).data
