import { isRecord } from '../../domain/record.ts'
import { textFrom } from '../../domain/text-from.ts'
import { listOf } from '../../formats/json/record.ts'
import type { Bundle, BundleObject } from './bundle-objects.ts'
import type {
  DefenseType,
  FrameworkDefense,
  FrameworkInnerLink,
  FrameworkLink,
  FrameworkNode,
  Matrix,
} from './framework.ts'

const TYPES: Readonly<Record<string, DefenseType>> = {
  'course-of-action': 'mitigation',
  'x-mitre-data-component': 'data-component',
  'x-mitre-detection-strategy': 'detection-strategy',
  'x-mitre-analytic': 'analytic',
}

/** The live defenses of a bundle, against which techniques they help, and what they need. */
export function defensesOf(
  bundle: Bundle,
  matrix: Matrix,
  nodes: readonly FrameworkNode[],
  warnings: string[],
): {
  readonly defenses: readonly FrameworkDefense[]
  readonly links: readonly FrameworkLink[]
  readonly innerLinks: readonly FrameworkInnerLink[]
} {
  const objects = bundle.objects.filter(
    (object) => TYPES[object.type] !== undefined && object.state === 'live' && isOfMatrix(object, matrix),
  )
  const known = new Set(objects.map(({ id }) => id))
  const techniques = new Map(
    nodes.filter(({ state }) => state === 'live').map(({ stix_id, external_id }) => [stix_id, external_id]),
  )
  const missing = { links: 0, inner: 0 }
  const links = bundle.links.flatMap(({ type, source, target, description }): FrameworkLink[] => {
    if (type !== 'mitigates' && type !== 'detects') return []
    const technique = techniques.get(target)
    if (technique !== undefined && known.has(source)) return [{ type, defense: source, technique, description }]
    missing.links++
    return []
  })
  const inner = objects.flatMap(innerLinksOf).filter((link) => {
    if (known.has(link.to)) return true
    missing.inner++
    return false
  })
  if (missing.links > 0)
    warnings.push(`${missing.links} relationships of defenses have an end that is dead or missing. They were left out.`)
  if (missing.inner > 0)
    warnings.push(`${missing.inner} references between defenses lead to something dead or missing. They were left out.`)
  const inWords = bundle.objects.filter(
    ({ state, more }) => state === 'live' && listOf(more.x_mitre_data_sources).length > 0,
  )
  if (inWords.length > 0 && !objects.some(({ type }) => type === 'x-mitre-data-component'))
    warnings.push(
      `${inWords.length} techniques name their data sources in words alone, and no data components. These were left out.`,
    )
  return {
    defenses: objects.map(defenseOf),
    links: distinct(links, ({ type, defense, technique }) => `${type} ${defense} ${technique}`),
    innerLinks: distinct(inner, (each) => JSON.stringify(each)),
  }
}

/** Bundles of ICS 9 to 17 also have mitigations of Enterprise, without relationships. */
function isOfMatrix({ more }: BundleObject, matrix: Matrix): boolean {
  const domains = listOf(more.x_mitre_domains)
  return domains.length === 0 || domains.includes(matrix)
}

const defenseOf = ({
  id,
  type,
  externalId,
  name,
  description,
  references,
  platforms,
  more,
}: BundleObject): FrameworkDefense => {
  const isAnalytic = type === 'x-mitre-analytic'
  return {
    stix_id: id,
    type: TYPES[type] ?? 'mitigation',
    external_id: externalId,
    name,
    description,
    external_references: references,
    platforms: isAnalytic ? platforms : [],
    mutable_elements: isAnalytic
      ? listOf(more.x_mitre_mutable_elements)
          .filter(isRecord)
          .map((each) => ({ field: textFrom(each.field ?? ''), description: textFrom(each.description ?? '') }))
      : [],
  }
}

function innerLinksOf({ id, more }: BundleObject): FrameworkInnerLink[] {
  return [
    ...listOf(more.x_mitre_analytic_refs).map((to) => ({
      type: 'analytic-references' as const,
      from: id,
      to: textFrom(to),
      name: null,
      channel: null,
    })),
    ...listOf(more.x_mitre_log_source_references)
      .filter(isRecord)
      .map((each) => ({
        type: 'log-source-references' as const,
        from: id,
        to: textFrom(each.x_mitre_data_component_ref),
        name: textFrom(each.name ?? ''),
        channel: textFrom(each.channel ?? ''),
      })),
  ]
}

function distinct<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()]
}
