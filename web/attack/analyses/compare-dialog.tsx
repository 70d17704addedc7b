import { Button, Group, Modal, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { listQuery, oneQuery } from '../../api/lists.ts'
import { defangText } from '../../domain/defang-text.ts'
import { NameSelect } from '../../ui/name-select.tsx'
import { ANALYSES, type Analysis } from './analysis.ts'
import { EntitiesField } from './entities-field.tsx'
import { scopeKindOf } from './scope-kind.ts'

const OTHERS = {
  all: 'Everything',
  analysis: 'Analysis or layer',
  entities: 'Entities',
  dataset: 'Dataset',
} as const

type Other = keyof typeof OTHERS

interface CompareDialogProps {
  readonly analysis: Analysis
  readonly onClose: () => void
}

/** Chooses what to compare an analysis with, and opens both in one matrix. */
export const CompareDialog = ({ analysis, onClose }: CompareDialogProps) => (
  <CompareScopeDialog
    title={`Compare “${defangText(analysis.name)}”`}
    matrix={analysis.attack_matrix}
    scope={{ analysis: String(analysis.id) }}
    onClose={onClose}
  />
)

interface CompareScopeDialogProps {
  readonly title: string
  readonly matrix: string
  /** What is compared, as query parameters of the matrix. */
  readonly scope: Readonly<Record<string, string | null>>
  readonly onClose: () => void
}

/** Chooses what to compare the scope of a matrix with. */
export function CompareScopeDialog({ title, matrix, scope, onClose }: CompareScopeDialogProps) {
  const navigate = useNavigate()
  const [kind, setKind] = useState<Other>('entities')
  const [value, setValue] = useState('')
  const choose = (next: Other) => {
    setKind(next)
    setValue('')
  }
  const compare = () => {
    const given = Object.entries(scope).filter(([, text]) => text !== null)
    const search = {
      ...Object.fromEntries(given.map(([name, text]) => [name, /^\d+$/.test(text ?? '') ? Number(text) : text])),
      matrix,
      vs: kind === 'all' ? 'all' : kind === 'analysis' ? value : `${kind}:${value}`,
    }
    // Query parameters are not part of the route types.
    void navigate({ to: '/attack', search } as never)
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title={title}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          The matrix shows which techniques only the first side has, which both have, and which only the other has.
        </Text>
        <SegmentedControl
          fullWidth
          aria-label="Compare with"
          value={kind}
          onChange={(next) => choose(next as Other)}
          data={Object.entries(OTHERS).map(([key, label]) => ({ value: key, label }))}
        />
        {kind === 'analysis' && <OtherAnalysis matrix={matrix} side={value} onChange={setValue} />}
        {kind === 'entities' && (
          <EntitiesField
            ids={value === '' ? [] : value.split(',')}
            onChange={(ids) => setValue(ids.join(','))}
            error={undefined}
          />
        )}
        {kind === 'dataset' && <NameSelect of="datasets" label="Dataset" required value={value} onChange={setValue} />}
        {kind === 'all' && <Text size="sm">Everything that you can see.</Text>}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={kind !== 'all' && value === ''} onClick={compare}>
            Compare
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

interface OtherAnalysisProps {
  readonly matrix: string
  /** `analysis:<id>` or `layer:<id>`; empty until one is selected. */
  readonly side: string
  readonly onChange: (side: string) => void
}

/** Selects an analysis, or the layer that was imported into one. */
function OtherAnalysis({ matrix, side, onChange }: OtherAnalysisProps) {
  const [part = '', id = ''] = side.split(':')
  const { data } = useQuery(
    listQuery<Analysis>(ANALYSES, {
      'filter[attack_matrix]': matrix,
      attributes: 'id,name',
      sort: 'name',
      limit: 500,
    }),
  )
  const chosen = useQuery({ ...oneQuery<Analysis>(`${ANALYSES}/${id}`), enabled: id !== '' })
  const isLayered = chosen.data?.ui_metadata.layer !== undefined
  return (
    <>
      <Select
        label="Analysis"
        description="Of the same matrix. Imported layers are analyses, too."
        required
        searchable
        data={(data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: defangText(name) }))}
        value={id || null}
        onChange={(next) => onChange(next ? `analysis:${next}` : '')}
        nothingFoundMessage="No analysis of this matrix"
      />
      {chosen.data &&
        isLayered &&
        (scopeKindOf(chosen.data) === 'all' ? (
          <Text size="sm">Its imported layer is compared.</Text>
        ) : (
          <SegmentedControl
            fullWidth
            aria-label="What of the analysis"
            value={part}
            onChange={(next) => onChange(`${next}:${id}`)}
            data={[
              { value: 'analysis', label: 'Its entities' },
              { value: 'layer', label: 'Its imported layer' },
            ]}
          />
        ))}
    </>
  )
}
