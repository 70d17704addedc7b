import type { FoundEntity, FoundObservable } from '../../finding.ts'
import { childOf } from '../../xml/xml-element.ts'
import { type EntityDraft, headerOf, takeReferences } from './draft.ts'
import { combined, handlingOf } from './handling.ts'
import { append, compact } from './json.ts'
import { leftoversOf } from './taken.ts'

/** Completes an entity and reports it: with a title, its markings, and everything that no field holds. */
export function finish(draft: EntityDraft): void {
  const owned = draft.reading.survey.byOwner.get(draft.id) ?? []
  for (const indexed of owned) {
    indexed.isClaimed = true
    append(draft.observables, indexed.observables)
    takeReferences(draft, indexed.references)
  }
  const handling = combined(
    handlingOf(childOf(headerOf(draft.element), 'Handling'), false, draft.taken),
    draft.setting.handling,
  )
  const leftovers = leftoversOf(draft.element, draft.taken)
  const observables = distinct(draft.observables)
  const data = {
    type: draft.type,
    id: draft.id,
    title: titleOf(draft, observables),
    ...draft.data,
    ...compact({ handling: handling.markings, stix1: compact({ left: leftovers, observables: draft.kept }) }),
  }
  const entity: FoundEntity = {
    data,
    ...(handling.tlp !== undefined && { meta: { tlp_color: handling.tlp } }),
    ...(observables.length > 0 && { observables }),
    ...(draft.attachments.length > 0 && { attachments: draft.attachments }),
  }
  const losses = [
    ...draft.losses,
    ...handling.losses,
    ...lossesOf(
      leftovers.map(({ path }) => path),
      draft.kept.length,
    ),
  ]
  draft.reading.findings.push({
    kind: 'entity',
    at: draft.at,
    entity,
    ...(losses.length > 0 && { losses: cut(losses) }),
  })
}

const TITLE_LIMIT = 200

function titleOf({ data, type, id }: EntityDraft, observables: readonly FoundObservable[]): string {
  const text = [data.short_description, data.description].find((one) => typeof one === 'string')
  const line = typeof text === 'string' ? (text.split('\n', 1)[0] ?? '').trim() : ''
  const title = line || observables[0]?.value || id.replace(/^\{[^}]*\}/, '') || type
  return title.length > TITLE_LIMIT ? `${title.slice(0, TITLE_LIMIT - 1).toWellFormed()}…` : title
}

function distinct(observables: readonly FoundObservable[]): FoundObservable[] {
  const byName = new Map<string, FoundObservable>()
  for (const observable of observables) {
    const name = `${observable.type} ${observable.value}`
    if (!byName.has(name)) byName.set(name, observable)
  }
  return [...byName.values()]
}

const LOSS_LIMIT = 50

const cut = (losses: readonly string[]): readonly string[] =>
  losses.length > LOSS_LIMIT ? [...losses.slice(0, LOSS_LIMIT), `and ${losses.length - LOSS_LIMIT} more`] : losses

const NAMED_PATHS_LIMIT = 8

function lossesOf(paths: readonly string[], observables: number): string[] {
  const where = 'kept in data.stix1, but neither searched nor exported'
  const named = [...new Set(paths)]
  const list = `${named.slice(0, NAMED_PATHS_LIMIT).join(', ')}${named.length > NAMED_PATHS_LIMIT ? ` and ${named.length - NAMED_PATHS_LIMIT} more` : ''}`
  return [
    ...(named.length > 0 ? [`${list}: ${where}`] : []),
    ...(observables > 0 ? [`${observables} observables contain more than their values: their XML is ${where}`] : []),
  ]
}
