import { useQuery } from '@tanstack/react-query'
import { oneQuery, type Parameters, searchOf } from '../../api/lists.ts'
import { ANALYSES, type Analysis } from '../analyses/analysis.ts'
import { matrixName } from '../matrices.ts'
import { layerAddress } from './layer-address.ts'

/** A layer for ATT&CK Navigator that can be downloaded. */
export interface Layer {
  readonly label: string
  readonly href: string
  readonly file: string
}

const KINDS = ['threat', 'coverage', 'gap'] as const
const LABELS = { threat: 'Threat layer', coverage: 'Coverage layer', gap: 'Gap layer' } as const

/** The layers of what a matrix shows; `parameters` are those of its heat. Those of an analysis have its annotations, and it may have an imported one. */
export function useHeatLayers(matrix: string, parameters: Parameters, analysis: number | undefined): readonly Layer[] {
  const known = useQuery({ ...oneQuery<Analysis>(`${ANALYSES}/${analysis}`), enabled: analysis !== undefined })
  const drawn = KINDS.map((kind) => ({
    label: LABELS[kind],
    href: layerAddress(kind, `${matrixName(matrix)} ${kind}`, parameters, analysis),
    file: `${matrix}-${kind}.json`,
  }))
  if (known.data?.ui_metadata.layer === undefined) return drawn
  const href = `/api/v2/${ANALYSES}/${analysis}/layer`
  return [...drawn, { label: 'Imported layer', href, file: `${matrix}-imported.json` }]
}

/** The longest name that the API takes. */
const MAX_NAME = 500

interface Sides {
  readonly left: string
  readonly right: string
}

/** The layers of a comparison: all of it, and what only one side has. */
export function comparisonLayers(matrix: string, sides: Sides, names: Sides, parameters: Parameters): readonly Layer[] {
  const layer = (label: string, name: string, state?: string) => ({
    label,
    href: `/api/v2/${ANALYSES}/compare/layer${searchOf({ ...parameters, ...sides, name: name.slice(0, MAX_NAME), state })}`,
    file: `${matrix}-comparison${state ? `-${state}` : ''}.json`,
  })
  return [
    layer('Comparison layer', `${names.left} and ${names.right}`),
    layer(`Layer of only ${names.left}`, `Only ${names.left}`, 'left'),
    layer(`Layer of only ${names.right}`, `Only ${names.right}`, 'right'),
  ]
}
