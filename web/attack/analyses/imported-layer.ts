import { CallError, call } from '../../api/call.ts'
import { assertSize } from '../../ui/assert-size.ts'
import { ANALYSES, type Analysis, counted } from './analysis.ts'

/** A technique as a layer names it; null stands for all its tactics. */
interface NamedTechnique {
  readonly techniqueID: string
  readonly tactic: string | null
}

/** What became of the techniques of one layer. */
export interface LayerReport {
  readonly attack_analysis: string
  readonly format: string
  readonly techniques: number
  readonly annotations: number
  /** Revoked techniques, and the nodes that took their place. */
  readonly mapped: readonly (NamedTechnique & { readonly nodes: readonly string[] })[]
  /** Techniques that were deprecated without a successor. */
  readonly kept: readonly (NamedTechnique & { readonly nodes: readonly string[] })[]
  readonly unknown: readonly NamedTechnique[]
  readonly merged: readonly { readonly node: string; readonly techniques: readonly NamedTechnique[] }[]
}

/** The analyses that were made of a file, with a report for each. */
export interface ImportedLayers {
  readonly analyses: readonly Analysis[]
  readonly reports: readonly LayerReport[]
}

/** The most that the server accepts. */
const MAX_BYTES = 16 * 1024 * 1024

/** Makes analyses of the layers in a file. */
export async function importLayers(file: File): Promise<ImportedLayers> {
  assertSize(file, MAX_BYTES)
  const text = await file.text()
  return (await call<{ data: ImportedLayers }>('POST', `${ANALYSES}/import-layer`, { data: parsedLayer(text) })).data
}

function parsedLayer(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const detail = 'The file is not valid JSON. Select a layer that was saved by ATT&CK Navigator.'
    throw new CallError(400, [{ status: 400, title: 'Bad request', detail }])
  }
}

const named = ({ techniqueID, tactic }: NamedTechnique): string =>
  tactic === null ? techniqueID : `${techniqueID} (${tactic})`

/** The parts of a report that need attention, each with its lines. */
export function partsOf({ mapped, kept, unknown, merged }: LayerReport) {
  const all = [
    {
      title: `${counted(mapped.length, 'technique was', 'techniques were')} revoked and mapped to successors`,
      lines: mapped.map((each) => `${named(each)} → ${each.nodes.join(', ')}`),
    },
    {
      title: `${counted(kept.length, 'technique is', 'techniques are')} deprecated and kept`,
      lines: kept.map(named),
    },
    {
      title: `${counted(unknown.length, 'technique is', 'techniques are')} unknown in this version; the layer keeps them`,
      lines: unknown.map(named),
    },
    {
      title: `${counted(merged.length, 'node stands', 'nodes stand')} for several techniques of the layer`,
      lines: merged.map(({ node, techniques }) => `${techniques.map(named).join(', ')} → ${node}`),
    },
  ]
  return all.filter(({ lines }) => lines.length > 0)
}
