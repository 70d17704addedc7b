import { type Document, DocumentError } from '../../document.ts'
import { readXml } from '../../xml/read-xml.ts'
import { attributeOf, type XmlElement, type XmlTag } from '../../xml/xml-element.ts'
import { stixIdOf } from '../stix1-ids.ts'

/** A package that is being read. */
export interface Package {
  readonly index: number
  readonly id: string | undefined
  readonly timestamp: string
  /** The path of the package; '' is the document itself. */
  readonly at: string
  readonly outer: Package | undefined
}

/** One part of a package and its location in the document. */
export interface Part {
  readonly kind: 'package' | 'header' | 'observable' | 'component' | 'kill-chains' | 'other'
  readonly package: Package
  readonly at: string
  /** For a package itself, only its tag. */
  readonly element: XmlElement
}

/** The STIX 1.2 components and their entity types. */
export const COMPONENTS: ReadonlyMap<string, string> = new Map([
  ['Campaign', 'campaign'],
  ['Course_Of_Action', 'course-of-action'],
  ['Exploit_Target', 'exploit-target'],
  ['Incident', 'incident'],
  ['Indicator', 'indicator'],
  ['Report', 'report'],
  ['TTP', 'ttp'],
  ['Threat_Actor', 'threat-actor'],
])

/** The sections of packages that contain other parts, and are entered. */
const SECTIONS = new Set([
  'Campaigns',
  'Courses_Of_Action',
  'Exploit_Targets',
  'Incidents',
  'Indicators',
  'Observables',
  'Related_Packages',
  'Reports',
  'TTPs',
  'Threat_Actors',
])

const PACKAGES = new Set(['STIX_Package', 'Package'])

/** Reads a document part by part: every package, its header, its components and its observables. */
export async function* readPackages(document: Document): AsyncGenerator<Part> {
  const open: Level[] = []
  let packages = 0
  for await (const event of readXml(document, isContainer)) {
    if (event.kind === 'close') open.pop()
    else {
      const tag = event.kind === 'open' ? event.tag : event.element
      const outer = open.at(-1)
      if (!outer && !isStix(tag)) throw new DocumentError(`line ${tag.line}: '${tag.name}' is not a STIX package`)
      const count = (outer?.counts.get(tag.name) ?? 0) + 1
      outer?.counts.set(tag.name, count)
      const path = outer ? pathOf(outer, tag, count) : ''
      if (event.kind === 'open') {
        // A CybOX document is a list of observables without a package around it.
        const isNew = !outer || PACKAGES.has(tag.name)
        const own = isNew ? packageOf(tag, packages++, path, outer?.package) : outer.package
        open.push({ tag, path, package: own, counts: new Map() })
        if (isNew) yield { kind: 'package', package: own, at: path || tag.name, element: { ...tag, content: [] } }
      } else if (outer)
        yield {
          kind: kindOf(tag, outer),
          package: outer.package,
          at: `${path}, line ${tag.line}`,
          element: event.element,
        }
    }
  }
}

interface Level {
  readonly tag: XmlTag
  readonly path: string
  readonly package: Package
  readonly counts: Map<string, number>
}

const isStix = (tag: XmlTag): boolean => tag.name === 'STIX_Package' || tag.name === 'Observables'

function isContainer(tag: XmlTag, outer: readonly XmlTag[]): boolean {
  const parent = outer.at(-1)
  if (!parent) return isStix(tag)
  if (PACKAGES.has(parent.name)) return SECTIONS.has(tag.name)
  if (parent.name === 'Related_Packages') return tag.name === 'Related_Package'
  return parent.name === 'Related_Package' && tag.name === 'Package'
}

function kindOf(tag: XmlTag, { tag: outer }: Level): Part['kind'] {
  if (tag.name === 'STIX_Header') return 'header'
  if (tag.name === 'Kill_Chains') return 'kill-chains'
  if (outer.name === 'Observables') return tag.name === 'Observable' ? 'observable' : 'other'
  return SECTIONS.has(outer.name) && COMPONENTS.has(tag.name) ? 'component' : 'other'
}

const packageOf = (tag: XmlTag, index: number, at: string, outer: Package | undefined): Package => ({
  index,
  id: stixIdOf(tag, 'id'),
  timestamp: attributeOf(tag, 'timestamp'),
  at,
  outer,
})

function pathOf(outer: Level, tag: XmlTag, count: number): string {
  const name =
    SECTIONS.has(tag.name) || tag.name === 'STIX_Header' || tag.name === 'Package' ? tag.name : `${tag.name}[${count}]`
  return outer.path === '' ? name : `${outer.path}/${name}`
}
