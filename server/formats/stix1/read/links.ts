import { attributeOf, childOf, childrenOf, textOf, type XmlElement } from '../../xml/xml-element.ts'
import { KEY_VOCABULARY } from '../own-vocabularies.ts'
import { detached, madeUuid, stixIdOf } from '../stix1-ids.ts'
import type { EntityDraft } from './draft.ts'
import { compact, type Json } from './json.ts'
import { COMPONENTS } from './packages.ts'
import { informationSourceOf } from './records.ts'
import { confidenceOf } from './statements.ts'

/** Reads a component nested in another one and returns its id; undefined if there is none. */
export type ReadInner = (element: XmlElement, at: string, draft: EntityDraft) => string | undefined

/** Relates a component to those in one of its lists: `<Related_TTPs><Related_TTP><TTP idref="…"/>…`. */
export function linkList(
  draft: EntityDraft,
  listName: string,
  itemName: string,
  key: string,
  readInner: ReadInner,
): void {
  for (const list of childrenOf(draft.element, listName))
    childrenOf(list, itemName).forEach((item, index) => {
      link(draft, item, `${listName}/${itemName}[${index + 1}]`, key, readInner)
    })
}

/** Relates a component to the one in an element. */
export function link(draft: EntityDraft, item: XmlElement, path: string, key: string, readInner: ReadInner): void {
  const component = COMPONENTS.has(item.name) && !childOf(item, item.name) ? item : innerOf(item)
  const at = `${draft.at}/${path}${component === item || !component ? '' : `/${component.name}`}`
  // Older documents put the reference on the enclosing element.
  const target = component ? readInner(component, at, draft) : stixIdOf(item, 'idref')
  if (target === undefined) return
  if (component) draft.taken.add(component)
  else draft.taken.add(item)
  const text = component === item ? undefined : childOf(item, 'Relationship')
  if (text) draft.taken.add(text)
  const about = component === item ? undefined : aboutOf(item, draft)
  relate(draft, { ...keyOf(text, key), ...about }, target, at)
}

/** Adds a relationship of a component. */
export function relate(draft: EntityDraft, about: Json & { readonly key: string }, target: string, at: string): void {
  const id = madeUuid(draft.id, about.key, target)
  const data = { source: draft.id, target, ...about }
  if (!draft.reading.relationships.has(id))
    draft.reading.relationships.set(id, { at: detached(at), relationship: { id, data } })
}

const innerOf = (item: XmlElement): XmlElement | undefined => childrenOf(item).find(({ name }) => COMPONENTS.has(name))

function aboutOf(item: XmlElement, draft: EntityDraft): Json | undefined {
  return compact({
    confidence: confidenceOf(childOf(item, 'Confidence'), draft.taken),
    information_source: informationSourceOf(childOf(item, 'Information_Source'), draft.taken),
  })
}

function keyOf(text: XmlElement | undefined, key: string): { key: string; description?: string } {
  const said = detached(textOf(text))
  if (!text || said === '') return { key }
  const [, own = '', description = ''] = /^([a-z\d-]{1,256})(?:: ([\s\S]*))?$/.exec(said) ?? []
  if (attributeOf(text, 'vocab_name') !== KEY_VOCABULARY || own === '') return { key, description: said }
  return description === '' ? { key: own } : { key: own, description }
}
