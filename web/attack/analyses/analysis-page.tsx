import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { oneQuery } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { EntityName } from '../../intelligence/named-entity.tsx'
import { useNamedEntities } from '../../intelligence/use-named-entities.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { Moment } from '../../ui/moment.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { type PageTab, PageTabs } from '../../ui/page-tabs.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { AttackTabs } from '../attack-tabs.tsx'
import { HeatBoard } from '../matrix/heat-board.tsx'
import { LayerBoard } from '../matrix/layer-board.tsx'
import { heatParametersOf } from '../scope.ts'
import { MatrixBadge, Scope } from './analyses.tsx'
import { ANALYSES, type Analysis } from './analysis.ts'
import { AnalysisForm } from './analysis-form.tsx'
import { AnnotationsTab } from './annotations-tab.tsx'
import { CompareDialog } from './compare-dialog.tsx'

const TABS: readonly PageTab<Analysis>[] = [
  { name: 'matrix', label: 'Matrix', permission: 'read entities', show: (analysis) => <Result analysis={analysis} /> },
  { name: 'annotations', label: 'Annotations', show: (analysis) => <AnnotationsTab analysis={analysis} /> },
]

const LAYER: PageTab<Analysis> = {
  name: 'layer',
  label: 'Imported layer',
  permission: 'read entities',
  show: (analysis) => <LayerBoard analysis={analysis} />,
}

/** The page of an analysis: its result, and what was noted about it. */
export function AnalysisPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const canRead = useMay()('read attack')
  const query = useQuery({ ...oneQuery<Analysis>(`${ANALYSES}/${id}`), enabled: canRead })
  const { data: analysis } = query
  if (!analysis)
    return (
      <>
        <AttackTabs />
        <PageHead title="Analysis" />
        <LoadFault query={query} />
        {canRead ? (
          query.isPending && <Skeleton h={320} role="status" aria-label="Loading analysis" />
        ) : (
          <NoPermission permission="read attack" />
        )}
      </>
    )
  return (
    <>
      <AttackTabs />
      <Stack gap="md">
        <Head analysis={analysis} />
        {analysis.description && (
          <Text size="sm">
            <PlainText text={analysis.description} />
          </Text>
        )}
        <AnalysisFacts analysis={analysis} />
        <PageTabs tabs={analysis.ui_metadata.layer === undefined ? TABS : [LAYER, ...TABS]} of={analysis} />
      </Stack>
    </>
  )
}

function Result({ analysis }: { readonly analysis: Analysis }) {
  const { id, name, attack_matrix } = analysis
  const scope = { matrix: attack_matrix, kind: 'analysis', value: String(id), query: '', hasRelations: false } as const
  const parameters = heatParametersOf(scope, analysis)
  return (
    parameters && <HeatBoard matrix={attack_matrix} name={defangText(name)} parameters={parameters} analysis={id} />
  )
}

function Head({ analysis }: { readonly analysis: Analysis }) {
  const may = useMay()
  const [mayChange, mayCount] = [may('modify attack'), may('read entities')]
  const navigate = useNavigate()
  const [open, setOpen] = useState<'edit' | 'compare' | null>(null)
  const close = () => setOpen(null)
  const name = defangText(analysis.name)
  const remove = async () => {
    await call('DELETE', `${ANALYSES}/${analysis.id}`)
    await navigate({ to: '/attack/analyses' })
    showToast(`“${name}” deleted`)
    await invalidate(ANALYSES)
  }
  return (
    <>
      <PageHead
        title={name}
        after={<MatrixBadge matrix={analysis.attack_matrix} />}
        actions={
          <>
            {mayCount && (
              <Button variant="default" onClick={() => setOpen('compare')}>
                Compare
              </Button>
            )}
            {mayChange && (
              <>
                <Button variant="default" leftSection={<Icon name="edit" />} onClick={() => setOpen('edit')}>
                  Edit
                </Button>
                <ConfirmButton label="Delete" title={`Delete “${name}”?`} confirm="Delete analysis" onConfirm={remove}>
                  Its annotations are deleted with it. This cannot be undone.
                </ConfirmButton>
              </>
            )}
          </>
        }
      />
      {open === 'compare' && <CompareDialog analysis={analysis} onClose={close} />}
      <Modal opened={open === 'edit'} onClose={close} title="Edit analysis" size="lg">
        <AnalysisForm analysis={analysis} onCancel={close} onDone={close} />
      </Modal>
    </>
  )
}

function AnalysisFacts({ analysis }: { readonly analysis: Analysis }) {
  const users = useNames('users')
  return (
    <Facts
      columns={4}
      facts={[
        ['Scope', <ScopeFact key="scope" analysis={analysis} />],
        ['Created', <Moment key="created" at={analysis.created_at} />],
        ['Created by', analysis.created_by === null ? '–' : nameOf(users, analysis.created_by)],
        ['Last updated', <Moment key="updated" at={analysis.last_updated_at} />],
      ]}
    />
  )
}

/** Up to this many entities of a scope are listed. */
const MAX_LISTED = 5

/** What an analysis covers, with its entities if they are few. */
function ScopeFact({ analysis }: { readonly analysis: Analysis }) {
  const urls = analysis.scope_entities
  const isShort = urls.length > 0 && urls.length <= MAX_LISTED
  const entities = useNamedEntities(isShort ? urls : [])
  if (!isShort || analysis.scope_datasets.length > 0) return <Scope analysis={analysis} />
  if (!entities) return <Skeleton h={14} w={120} />
  return (
    <Group gap="xs">
      {[...entities.values()].map((entity) => (
        <EntityName key={entity.id} entity={entity} />
      ))}
    </Group>
  )
}
