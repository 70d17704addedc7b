import { Alert, SegmentedControl, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo } from 'react'
import type { Parameters } from '../../api/lists.ts'
import { LoadFault } from '../../ui/load-fault.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { matrixName } from '../matrices.ts'
import { heatFaces } from './faces.ts'
import { useHeatLayers } from './layers.ts'
import { heatLegend } from './legend-groups.ts'
import { MatrixBoard } from './matrix-board.tsx'
import { coverageQuery, heatQuery } from './matrix-data.ts'
import { matrixTreeQuery } from './matrix-tree.ts'
import { NodePanel } from './node-panel.tsx'
import { readPeriod } from './periods.ts'
import { TimeSlider, withPeriod } from './time-slider.tsx'
import { useView } from './use-view.ts'

interface HeatBoardProps {
  readonly matrix: string
  /** Whose matrix it is, in words. */
  readonly name: string
  /** The parameters of heat, without what it is made of. */
  readonly parameters: Parameters
  /** The analysis whose annotations are shown. */
  readonly analysis?: number | undefined
  readonly tools?: (by: 'count' | 'recency') => ReactNode
  readonly below?: ReactNode
}

const KINDS = [
  { value: 'count', label: 'Count' },
  { value: 'recency', label: 'Recency' },
]

/** The matrix of some entities: what they use as colour, what is defended as frame, and what is not as hatch. */
export function HeatBoard({ matrix, name, parameters, analysis, tools, below }: HeatBoardProps) {
  const url = useUrlState()
  const shown = useView()
  const by = url.get('by') === 'recency' ? 'recency' : 'count'
  const period = readPeriod(url.get('period'))
  const counted = period ? withPeriod(parameters, period) : parameters
  const asked = { ...counted, by }
  const tree = useQuery(matrixTreeQuery(matrix))
  const heat = useQuery(heatQuery(asked))
  const coverage = useQuery(coverageQuery(asked))
  const whole = useQuery(heatQuery({ ...parameters, by }))
  const scores = whole.data?.data
  const layers = useHeatLayers(matrix, asked, analysis)
  const setPeriod = useCallback((name: string) => url.set({ period: name }, true), [url])
  const rows = heat.data?.data
  const covered = coverage.data?.data
  const { faceOf, scale } = useMemo(
    () => heatFaces(rows ?? [], covered ?? [], by, scores ?? rows),
    [rows, covered, by, scores],
  )
  const fault = [tree, heat, coverage].find(({ error }) => error !== null)
  if (fault) return <LoadFault query={fault} />
  if (!tree.data || !heat.data) return <Skeleton h={480} role="status" aria-label="Loading matrix" />
  return (
    <MatrixBoard
      key={matrix}
      matrix={matrix}
      label={`${matrixName(matrix)} matrix`}
      title={`${matrixName(matrix)}: ${name}`}
      layers={layers}
      tree={tree.data}
      faceOf={faceOf}
      shown={shown}
      hasGaps
      legend={heatLegend(scale, by)}
      tools={
        <>
          <SegmentedControl
            aria-label="Colour by"
            data={KINDS}
            value={by}
            onChange={(next) => url.set({ by: next === 'count' ? null : next }, true)}
          />
          {tools?.(by)}
        </>
      }
      note={
        <>
          <TimeSlider parameters={parameters} value={period?.name ?? ''} onChange={setPeriod} />
          {rows?.length === 0 && <Unused count={heat.data.total_count} isPeriod={period !== undefined} />}
        </>
      }
      below={below}
      panel={(place, onClose) => (
        <NodePanel
          place={place}
          parameters={counted}
          gap={covered?.find(({ id }) => id === place.id)}
          analysis={analysis}
          onClose={onClose}
        />
      )}
    />
  )
}

const Unused = ({ count, isPeriod }: { readonly count: number; readonly isPeriod: boolean }) => (
  <Alert
    color="gray"
    variant="light"
    title={count === 0 ? (isPeriod ? 'No entities in this period' : 'No entities in this scope') : 'No techniques yet'}
  >
    {count === 0
      ? isPeriod
        ? 'No threat began in this period.'
        : 'Select another scope, or import intelligence.'
      : `None of the ${count.toLocaleString('en')} entities in this scope is classified with a technique of this matrix. Open an entity and choose “Classify” to mark its techniques.`}
  </Alert>
)
