import type { FoundEntity, FoundObservable } from '../../finding.ts'
import { childOf } from '../../xml/xml-element.ts'
import { type Draft, headerOf, takeReferences } from './draft.ts'
import { combined, handlingOf } from './handling.ts'
import { append, compact } from './json.ts'
import { leftoversOf } from './taken.ts'

/** Gives the entity out: with a title, its marking, and everything that no field has. */
export function finish(draft: Draft): void {
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

const LONGEST_TITLE = 200

function titleOf({ data, type, id }: Draft, observables: readonly FoundObservable[]): string {
  const text = [data.short_description, data.description].find((one) => typeof one === 'string')
  const line = typeof text === 'string' ? (text.split('\n', 1)[0] ?? '').trim() : ''
  const title = line || observables[0]?.value || id.replace(/^\{[^}]*\}/, '') || type
  return title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE - 1).toWellFormed()}…` : title
}

function distinct(observables: readonly FoundObservable[]): FoundObservable[] {
  const byName = new Map<string, FoundObservable>()
  for (const observable of observables) {
    const name = `${observable.type} ${observable.value}`
    if (!byName.has(name)) byName.set(name, observable)
  }
  return [...byName.values()]
}

const MOST = 50

const cut = (losses: readonly string[]): readonly string[] =>
  losses.length > MOST ? [...losses.slice(0, MOST), `and ${losses.length - MOST} more`] : losses

const MANY = 8

function lossesOf(paths: readonly string[], observables: number): string[] {
  const where = 'kept in data.stix1, neither searched nor exported again'
  const named = [...new Set(paths)]
  const list = `${named.slice(0, MANY).join(', ')}${named.length > MANY ? ` and ${named.length - MANY} more` : ''}`
  return [
    ...(named.length > 0 ? [`${list}: ${where}`] : []),
    ...(observables > 0 ? [`${observables} observables with more than their values: their XML is ${where}`] : []),
  ]
}
