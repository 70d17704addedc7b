import { childOf, childrenOf, type XmlElement } from '../../xml/xml-element.ts'
import { type EntityDraft, set } from './draft.ts'
import { namesIn } from './identity.ts'
import { linkList, type ReadInner } from './links.ts'
import { statementOf } from './statements.ts'
import { takeText, takeTexts } from './taken.ts'

/** Reads a threat actor. Statements become plain words, because the platform has no records for them. */
export function readThreatActor(draft: EntityDraft, readInner: ReadInner): void {
  const { element, taken } = draft
  readIdentity(draft, childOf(element, 'Identity'))
  const isActor = draft.type === 'threat-actor'
  const types = valuesOf(draft, 'Type')
  const [sophistication] = valuesOf(draft, 'Sophistication')
  const [first, ...others] = valuesOf(draft, 'Motivation')
  if (isActor) set(draft, 'threat_actor_types', types)
  if (isActor) set(draft, 'sophistication', sophistication)
  set(draft, 'primary_motivation', first)
  set(draft, 'secondary_motivations', others)
  set(draft, 'goals', valuesOf(draft, 'Intended_Effect'))
  set(draft, 'planning_and_operational_support', valuesOf(draft, 'Planning_And_Operational_Support'))
  linkList(draft, 'Observed_TTPs', 'Observed_TTP', 'observed-ttps', readInner)
  linkList(draft, 'Associated_Campaigns', 'Associated_Campaign', 'associated-campaigns', readInner)
  linkList(draft, 'Associated_Actors', 'Associated_Actor', 'associated-actors', readInner)
  if (draft.data.title === undefined) set(draft, 'title', takeText(element, 'Title', taken) ?? firstName(draft))
}

function readIdentity(draft: EntityDraft, identity: XmlElement | undefined): void {
  if (!identity) return
  const { taken } = draft
  const specification = childOf(identity, 'Specification')
  const party = childOf(specification, 'PartyName')
  if (party) taken.add(party)
  const name = takeText(identity, 'Name', taken)
  const all = namesIn(specification)
  const names = [...(name === undefined ? [] : [name]), ...all.filter(({ isAlias }) => !isAlias).map((one) => one.name)]
  const own = draft.type === 'threat-actor' ? [...new Set(names)] : []
  set(draft, 'names', own)
  set(
    draft,
    'aliases',
    all.filter(({ isAlias }) => isAlias).map((one) => one.name),
  )
  set(draft, 'roles', takeTexts(identity, 'Role', taken))
}

const firstName = ({ data }: EntityDraft): unknown => (Array.isArray(data.names) ? data.names[0] : undefined)

/** Returns the values of statements. Everything else in them is left unread. */
function valuesOf(draft: EntityDraft, name: string): string[] {
  return childrenOf(draft.element, name).flatMap((element) => {
    const said = statementOf(element, new Set())
    if (!said) return []
    const hasMore = Object.keys(said).some((key) => key !== 'value' && key !== 'timestamp')
    if (!hasMore) draft.taken.add(element)
    return [String(said.value)]
  })
}
