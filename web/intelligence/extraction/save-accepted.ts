import { strictestOf } from '../../ai/strictest.ts'
import { call } from '../../api/call.ts'
import { oneQuery } from '../../api/lists.ts'
import { queries } from '../../api/queries.ts'
import type { Entity } from '../../api/resources.ts'
import { type Accepted, type Extraction, newEntity } from './extraction.ts'

/** What was stored of an extraction. */
export interface Saved {
  readonly created: readonly { readonly id: string; readonly type: string; readonly title: string }[]
  readonly linked: readonly { readonly id: string; readonly type: string; readonly title: string }[]
  readonly observables: number
  /** Removes all of it again. */
  undo(): Promise<void>
}

interface WithId {
  readonly id: string
}

/** Creates accepted entities, relates them and known ones to the entity of the text, and adds accepted observables to it. */
export async function saveAccepted(
  report: string,
  extraction: Extraction,
  { entities, observables }: Accepted,
): Promise<Saved> {
  const latest = await queries.fetchQuery({ ...oneQuery<Entity>(`entities/${report}`), staleTime: 0 })
  const { sources, meta } = latest
  // In a form, the text may have a colour that the server did not know when it was sent.
  const tlp_color = strictestOf([extraction.tlp_color, meta.tlp_color ?? 'NONE'])
  const fresh = entities.filter(({ existing }) => existing === null)
  const known = entities.filter(({ existing }) => existing !== null && existing !== report)
  const undoes: (() => Promise<unknown>)[] = []
  const undo = async () => {
    for (const each of undoes.toReversed()) await each()
  }
  try {
    const created = await put(
      'entities',
      fresh.map((entity) => newEntity(entity, { ...extraction, tlp_color }, sources)),
    )
    if (created.length > 0) undoes.push(() => call('DELETE', 'entities', idsOf(created)))
    const targets = [...created.map(({ id }) => id), ...known.map(({ existing }) => existing)]
    const related = await put(
      'relationships',
      targets.map((target) => ({ data: { source: report, target }, sources })),
    )
    if (related.length > 0) undoes.push(() => call('DELETE', 'relationships', idsOf(related)))
    if (observables.length > 0) {
      const added = observables.map(({ type, value }) => ({ type, value }))
      await call('POST', `entities/${report}/observables`, { data: added })
      undoes.push(() => call('PATCH', `entities/${report}`, { data: { observables: latest.observables } }))
    }
    return {
      created: fresh.map(({ type, title }, i) => ({ id: created[i]?.id ?? '', type, title })),
      linked: known.map(({ existing, type, title }) => ({ id: existing ?? '', type, title })),
      observables: observables.length,
      undo,
    }
  } catch (error) {
    // Nothing half-done is left: what was stored before the failure is removed.
    await undo().catch(() => {})
    throw error
  }
}

const put = async (path: string, data: readonly object[]): Promise<readonly WithId[]> =>
  data.length === 0 ? [] : (await call<{ data: readonly WithId[] }>('PUT', path, { data })).data

const idsOf = (items: readonly WithId[]): readonly string[] => items.map(({ id }) => id)
