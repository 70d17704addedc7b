import type { Contributor } from '../../server/automation/consolidation/composing/contributor.ts'
import { TLP } from '../../server/domain/tlp.ts'
import type { Item } from '../../server/engine/context.ts'

/** The STIX id of the unified entity of contributors. */
export const UNIFIED = '{https://corvus.example/}malware-00000000-0000-4000-8000-000000000000'

/** A contributor with a letter as its id. */
export function contributor(
  letter: string,
  given: { data?: Item; meta?: Item } & Partial<Omit<Contributor, 'data' | 'meta'>> = {},
) {
  const { data, meta, rank = 0, ...rest } = given
  return {
    id: letter,
    stixId: `malware--${letter}`,
    type: 'malware',
    source: letter.charCodeAt(0),
    rank,
    created: '2026-01-01T00:00:00.000000+00:00',
    modified: '2026-01-01T00:00:00.000000+00:00',
    observables: [],
    attachments: [],
    ...rest,
    data: { id: `malware--${letter}`, type: 'malware', title: 'Emotet', ...data },
    meta: { tags: [], taxonomies: [], attacks: [], half_life: 182, tlp_color: TLP[rank], ...meta },
  } as unknown as Contributor
}
