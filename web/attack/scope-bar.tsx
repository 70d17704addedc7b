import { Button, Checkbox, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listQuery, oneQuery } from '../api/lists.ts'
import { useMay } from '../api/session.ts'
import { defangText } from '../domain/defang-text.ts'
import { NameSelect } from '../ui/name-select.tsx'
import { useUrlState } from '../ui/use-url-state.ts'
import { ANALYSES, type Analysis, counted } from './analyses/analysis.ts'
import { EntitiesField } from './analyses/entities-field.tsx'
import { MatrixSwitch } from './matrix-select.tsx'
import { heatParametersOf, type Scope, scopeIn, urlOf } from './scope.ts'

const KINDS = [
  { value: 'all', label: 'All entities' },
  { value: 'dataset', label: 'Dataset' },
  { value: 'entities', label: 'Selected entities' },
  { value: 'analysis', label: 'Analysis' },
]

/** The scope of a page, kept in its URL, with the parameters for the API: undefined until the analysis that it names is loaded. */
export function useScope() {
  const url = useUrlState()
  const scope = scopeIn(url)
  const isAnalysis = scope.kind === 'analysis'
  const analysis = useQuery({ ...oneQuery<Analysis>(`${ANALYSES}/${scope.value}`), enabled: isAnalysis })
  return {
    scope,
    analysis,
    parameters: heatParametersOf(scope, analysis.data),
    set: (next: Scope) => url.set(urlOf(next), true),
  }
}

interface ScopeBarProps {
  readonly scope: Scope
  /** The matrix that is shown: that of the analysis, if there is one. */
  readonly matrix: string
  readonly onChange: (scope: Scope) => void
}

/** Selects the matrix and the entities that count. */
export function ScopeBar({ scope, matrix, onChange }: ScopeBarProps) {
  const may = useMay()
  // A kind without a value is not in the URL yet.
  const [chosen, setChosen] = useState<Scope['kind'] | null>(null)
  const kind = chosen ?? scope.kind
  const choose = (next: Scope['kind']) => {
    setChosen(next)
    if (next === 'all') onChange({ ...scope, kind: 'all', value: '' })
  }
  const setValue = (value: string) => {
    setChosen(null)
    onChange(value === '' ? { ...scope, kind: 'all', value: '' } : { ...scope, matrix, kind, value })
  }
  const value = kind === scope.kind ? scope.value : ''
  return (
    <Group gap="sm">
      <MatrixSwitch value={matrix} onChange={(next) => onChange(withMatrix(scope, next))} />
      <Select
        aria-label="Scope"
        w={160}
        data={KINDS.filter((each) => each.value !== 'dataset' || may('read intel-sets'))}
        value={kind}
        allowDeselect={false}
        onChange={(next) => choose((next ?? 'all') as Scope['kind'])}
      />
      {kind === 'dataset' && (
        <NameSelect
          of="datasets"
          label="Dataset"
          isBare
          placeholder="Select a dataset"
          value={value}
          onChange={setValue}
        />
      )}
      {kind === 'analysis' && <AnalysisSelect value={value} onChange={setValue} />}
      {kind === 'entities' && <EntitiesSelect value={value} onChange={setValue} isNew={chosen !== null} />}
      <QueryInput key={scope.query} value={scope.query} onChange={(query) => onChange({ ...scope, query })} />
      <Checkbox
        size="sm"
        label="Include related entities"
        checked={scope.hasRelations}
        onChange={({ currentTarget }) => onChange({ ...scope, hasRelations: currentTarget.checked })}
      />
    </Group>
  )
}

/** An analysis has one matrix, so that another matrix needs another scope. */
const withMatrix = (scope: Scope, matrix: string): Scope =>
  scope.kind === 'analysis' ? { ...scope, matrix, kind: 'all', value: '' } : { ...scope, matrix }

interface ValueProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Narrows the scope by a query, once it is typed. */
function QueryInput({ value, onChange }: ValueProps) {
  const [typed, setTyped] = useState(value)
  const apply = () => {
    if (typed.trim() !== value) onChange(typed.trim())
  }
  return (
    <TextInput
      type="search"
      aria-label="Query"
      placeholder="Query, such as meta.tags:hospital"
      w={{ base: '100%', xs: 260 }}
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
    />
  )
}

function AnalysisSelect({ value, onChange }: ValueProps) {
  const { data } = useQuery(listQuery<Analysis>(ANALYSES, { attributes: 'id,name', sort: 'name', limit: 500 }))
  return (
    <Select
      aria-label="Analysis"
      placeholder="Select an analysis"
      searchable
      data={(data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: defangText(name) }))}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      nothingFoundMessage="No analyses"
    />
  )
}

/** Selects entities in a dialog, because their titles do not fit into a bar. */
function EntitiesSelect({ value, onChange, isNew }: ValueProps & { readonly isNew: boolean }) {
  const [isOpen, setIsOpen] = useState(isNew)
  const [ids, setIds] = useState<readonly string[]>(value === '' ? [] : value.split(','))
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {value === '' ? 'Select entities' : counted(value.split(',').length, 'entity', 'entities')}
      </Button>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title="Entities">
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            For example the actors that you follow.
          </Text>
          <EntitiesField ids={ids} onChange={setIds} error={undefined} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setIsOpen(false)}>
              Cancel
            </Button>
            <Button
              disabled={ids.length === 0}
              onClick={() => {
                onChange(ids.join(','))
                setIsOpen(false)
              }}
            >
              Apply
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
