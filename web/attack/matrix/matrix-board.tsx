import { Drawer, Group, Paper, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useDeferredValue, useMemo } from 'react'
import { columnsOf, type FaceOf } from './columns.ts'
import { ExportMenu } from './export-menu.tsx'
import type { Layer } from './layers.ts'
import { Legend } from './legend.tsx'
import type { LegendGroup } from './legend-groups.ts'
import classes from './matrix-board.module.css'
import { MatrixGrid } from './matrix-grid.tsx'
import { MatrixTools } from './matrix-tools.tsx'
import type { MatrixTree, Place } from './matrix-tree.ts'
import type { useView } from './use-view.ts'

interface MatrixBoardProps {
  readonly matrix: string
  readonly label: string
  /** The title of exports. */
  readonly title: string
  readonly layers?: readonly Layer[]
  readonly tree: MatrixTree
  readonly faceOf: FaceOf
  readonly shown: ReturnType<typeof useView>
  readonly legend: readonly LegendGroup[]
  readonly hasGaps?: boolean
  /** Further tools. */
  readonly tools?: ReactNode
  /** Shown between the tools and the matrix. */
  readonly note?: ReactNode
  readonly below?: ReactNode
  readonly onToggle?: (id: string) => void
  /** The details of a technique. */
  readonly panel: (place: Place, onClose: () => void) => ReactNode
}

/** A matrix with its tools, and the details of one technique. */
export function MatrixBoard(props: MatrixBoardProps) {
  const {
    matrix,
    label,
    title,
    layers = [],
    tree,
    faceOf,
    shown,
    legend,
    hasGaps = false,
    tools,
    note,
    below,
    onToggle,
    panel,
  } = props
  const { chosen, choose, fold } = shown
  // The tools follow a click at once, and the cells in a task of their own.
  const view = useDeferredValue(shown.view)
  const isWide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false })
  const place = tree.places.get(chosen)
  const above = place?.parent
  const columns = useMemo(
    // A sub-technique whose details are open is seen, whether its technique was opened or not.
    () => columnsOf(tree, faceOf, { ...view, isOpen: (id) => id === above || view.isOpen(id) }),
    [tree, faceOf, view, above],
  )
  const isEmpty = columns.every(({ cells }) => cells.length === 0)
  const close = () => choose('')
  const details = place && panel(place, close)
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <MatrixTools shown={shown} platforms={tree.platforms} hasGaps={hasGaps}>
          {tools}
          <ExportMenu
            matrix={matrix}
            title={title}
            legend={legend}
            all={() => columnsOf(tree, faceOf, { ...view, isOpen: () => true })}
            shown={columns}
            layers={layers}
          />
        </MatrixTools>
      </Group>
      {note}
      <Legend groups={legend} />
      <div className={classes.body}>
        <Paper withBorder className={classes.frame}>
          {isEmpty && (
            <Text c="dimmed" p="xl" ta="center" role="status">
              No technique matches the filters.
            </Text>
          )}
          <MatrixGrid
            label={label}
            columns={columns}
            chosen={chosen}
            onOpen={choose}
            onToggle={onToggle}
            onFold={(id) => fold(id, id === above)}
          />
        </Paper>
        {isWide && details && (
          <Paper withBorder className={classes.panel} component="aside" aria-label="Technique">
            {details}
          </Paper>
        )}
      </div>
      {!isWide && (
        <Drawer opened={place !== undefined} onClose={close} position="right" size="md" withCloseButton={false}>
          {details}
        </Drawer>
      )}
      {below}
    </Stack>
  )
}
