import { Alert, Badge, Box, Button, List, Paper, Skeleton, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useMay } from '../api/session.ts'
import { type Address, LeaveGuard } from '../forms/leave-guard.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { NoPermission } from '../ui/no-permission.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Canvas, type MenuPosition } from './canvas.tsx'
import { ExportMenu } from './export-menu.tsx'
import classes from './graph.module.css'
import { Legend } from './legend.tsx'
import { manyOf } from './names.ts'
import type { NodeAction } from './node-action.ts'
import { NodeMenu } from './node-menu.tsx'
import { NO_QUESTION, type PathQuestion } from './paths-panel.tsx'
import { SaveGraph } from './save-graph.tsx'
import { SidePanel, type Tab } from './side-panel.tsx'
import { canDraw } from './stage.ts'
import { StartGraph } from './start-graph.tsx'
import { TimeBar } from './time-bar.tsx'
import { Tools } from './tools.tsx'
import { useAddress } from './use-address.ts'
import { type GraphState, useGraph } from './use-graph.ts'

const NO_ACTIONS: readonly NodeAction[] = []

interface GraphPageProps {
  /** Further actions in the menus of nodes. */
  readonly actions?: readonly NodeAction[]
}

/** The graph of entities, observables and their relationships. */
export function GraphPage({ actions = NO_ACTIONS }: GraphPageProps) {
  const may = useMay()
  const allowed = actions.filter(({ permissions }) => permissions.every(may))
  return may('read entities') ? (
    <Opened maySeeObservables={may('read extracts')} actions={allowed} />
  ) : (
    <NoPermission permission="read entities" />
  )
}

interface OpenedProps {
  readonly maySeeObservables: boolean
  readonly actions: readonly NodeAction[]
}

function Opened({ maySeeObservables, actions }: OpenedProps) {
  const graph = useGraph()
  const { isLoading, error } = useAddress(graph, maySeeObservables)
  const hasPicture = useMemo(canDraw, [])
  const isEmpty = graph.drawing.nodes.size === 0 && graph.history.past.length === 0
  const hasGraph = !isEmpty && !isLoading && !error
  return (
    <div className={classes.page}>
      <Head graph={graph} hasPicture={hasPicture} hasGraph={hasGraph} />
      <Notices graph={graph} />
      {isLoading && <Skeleton h="70vh" role="status" aria-label="Loading graph" />}
      {error !== null && (
        <Stack align="flex-start">
          <ErrorFaults error={error} />
          <Button component={Link} to="/graph" variant="default">
            Start with an empty graph
          </Button>
        </Stack>
      )}
      {!isLoading && error === null && isEmpty && <StartGraph graph={graph} />}
      {hasGraph && <Board graph={graph} hasPicture={hasPicture} actions={actions} />}
      <LeaveGuard isChanged={(to) => graph.isDirty && !isSameGraph(to, graph.saved?.id)} />
    </div>
  )
}

/** Ignores changes of the address that the page makes itself, such as filters and selection. */
const isSameGraph = (to: Address | undefined, id: number | undefined): boolean =>
  to?.pathname === '/graph' && 'graph' in to.search && Number(to.search.graph) === id

interface HeadProps {
  readonly graph: GraphState
  readonly hasPicture: boolean
  readonly hasGraph: boolean
}

function Head({ graph, hasPicture, hasGraph }: HeadProps) {
  const { saved, shown, drawing } = graph
  const hidden = drawing.nodes.size - shown.nodes.size
  return (
    <PageHead
      title={saved?.name ?? 'Graph'}
      after={
        saved &&
        graph.isDirty && (
          <Badge variant="light" color="yellow">
            Unsaved changes
          </Badge>
        )
      }
      description={
        hasGraph &&
        `${manyOf(shown.nodes.size, 'node')} and ${manyOf(shown.edges.size, 'edge')}${hidden > 0 ? `, ${manyOf(hidden, 'node')} hidden` : ''}`
      }
      actions={
        hasGraph && (
          <>
            <Button component={Link} to="/graph" search={{} as never} variant="subtle">
              New graph
            </Button>
            <ExportMenu graph={graph} hasPicture={hasPicture} />
            <SaveGraph graph={graph} />
          </>
        )
      }
    />
  )
}

function Notices({ graph }: { readonly graph: GraphState }) {
  if (graph.notices.length === 0) return null
  return (
    <Alert
      variant="light"
      color="yellow"
      mb="xs"
      py="xs"
      withCloseButton
      closeButtonLabel="Close"
      onClose={graph.dismiss}
      role="status"
    >
      {graph.notices.length === 1 ? (
        graph.notices[0]
      ) : (
        <List size="sm">
          {graph.notices.map((text) => (
            <List.Item key={text}>{text}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  )
}

interface BoardProps {
  readonly graph: GraphState
  readonly hasPicture: boolean
  readonly actions: readonly NodeAction[]
}

function Board({ graph, hasPicture, actions }: BoardProps) {
  const [acted, setActed] = useState<{ readonly action: NodeAction; readonly keys: ReadonlySet<string> } | null>(null)
  const [menu, setMenu] = useState<MenuPosition | null>(null)
  const [tab, setTab] = useState<Tab>(hasPicture ? 'details' : 'list')
  const [question, setQuestion] = useState<PathQuestion>(NO_QUESTION)
  const onPath = (key: string) => {
    setQuestion({ ...NO_QUESTION, from: key })
    setTab('paths')
  }
  return (
    <div className={classes.board}>
      <Paper withBorder className={classes.picture}>
        <Tools graph={graph} hasPicture={hasPicture} />
        {hasPicture ? (
          <Box className={classes.stage}>
            <Canvas graph={graph} onMenu={setMenu} />
            <Legend graph={graph} />
            <NodeMenu
              graph={graph}
              menu={menu}
              onClose={() => setMenu(null)}
              onPath={onPath}
              actions={actions}
              onAction={(action, keys) => setActed({ action, keys })}
            />
          </Box>
        ) : (
          <Alert m="md">
            This browser cannot draw graphs because WebGL is disabled. The list contains the same nodes and edges.
          </Alert>
        )}
        <TimeBar graph={graph} />
      </Paper>
      <Paper withBorder className={classes.panel} component="aside" aria-label="Graph panel">
        <SidePanel graph={graph} tab={tab} onTab={setTab} question={question} onQuestion={setQuestion} />
      </Paper>
      {acted && <acted.action.Dialog graph={graph} keys={acted.keys} onClose={() => setActed(null)} />}
    </div>
  )
}
