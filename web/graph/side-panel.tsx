import { Box, Tabs } from '@mantine/core'
import { Details } from './details.tsx'
import { FilterPanel } from './filter-panel.tsx'
import { isFiltered } from './filters.ts'
import { NodeList } from './node-list.tsx'
import { type PathQuestion, PathsPanel } from './paths-panel.tsx'
import type { GraphState } from './use-graph.ts'

export type Tab = 'details' | 'list' | 'filters' | 'paths'

interface SidePanelProps {
  readonly graph: GraphState
  readonly tab: Tab
  readonly onTab: (tab: Tab) => void
  readonly question: PathQuestion
  readonly onQuestion: (question: PathQuestion) => void
}

/** The panel next to the graph: details, list, filters and paths. */
export function SidePanel({ graph, tab, onTab, question, onQuestion }: SidePanelProps) {
  const onPath = (key: string) => {
    onQuestion(
      question.from === null || question.to !== null ? { ...question, from: key, to: null } : { ...question, to: key },
    )
    onTab('paths')
  }
  return (
    <Tabs value={tab} onChange={(value) => onTab((value ?? 'details') as Tab)} h="100%" keepMounted={false}>
      <Tabs.List grow>
        <Tabs.Tab value="details">Details</Tabs.Tab>
        <Tabs.Tab value="list">List</Tabs.Tab>
        <Tabs.Tab value="filters">{isFiltered(graph.drawing.filters) ? 'Filters ●' : 'Filters'}</Tabs.Tab>
        <Tabs.Tab value="paths">Paths</Tabs.Tab>
      </Tabs.List>
      <Panel value="details">
        <Details graph={graph} onPath={onPath} />
      </Panel>
      <Panel value="list">
        <NodeList graph={graph} height="100%" />
      </Panel>
      <Panel value="filters">
        <FilterPanel graph={graph} />
      </Panel>
      <Panel value="paths">
        <PathsPanel graph={graph} question={question} onChange={onQuestion} />
      </Panel>
    </Tabs>
  )
}

const Panel = ({ value, children }: { readonly value: Tab; readonly children: React.ReactNode }) => (
  <Tabs.Panel value={value} h="calc(100% - 38px)">
    <Box p="sm" h="100%" style={{ overflowY: 'auto' }}>
      {children}
    </Box>
  </Tabs.Panel>
)
