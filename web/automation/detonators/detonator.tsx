import { Alert, Button, Group, Modal, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { Card } from '../../ui/card.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { ActiveSwitch } from '../active-switch.tsx'
import { DetonationList } from '../detonations/detonation-list.tsx'
import { DetonatorForm } from './detonator-form.tsx'
import { DetonatorOverview } from './detonator-overview.tsx'
import { DETONATORS, type Detonator, detonatorQuery, useAdapterTitles } from './detonator-queries.ts'
import { DetonatorState, ResumeDetonator } from './detonator-state.tsx'
import { missingParameters, stateInWords } from './detonator-words.ts'

const REFRESH_MS = 10_000

/** The page of a detonator. */
export function DetonatorPage() {
  const may = useMay()
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const canRead = may('read detonators')
  const found = useQuery({ ...detonatorQuery(id), enabled: canRead, refetchInterval: REFRESH_MS })
  if (canRead && found.data) return <Opened key={id} detonator={found.data} />
  return (
    <>
      <PageHead title="Detonator" />
      {!canRead && <NoPermission permission="read detonators" />}
      {canRead && <LoadFault query={found} />}
      {canRead && found.isPending && <Skeleton h={300} role="status" aria-label="Loading" />}
    </>
  )
}

function Opened({ detonator }: { readonly detonator: Detonator }) {
  const may = useMay()
  const { id, task_name, adapter, description } = detonator
  const title = useAdapterTitles().get(adapter) ?? adapter
  return (
    <>
      <PageLink to="/detonators" size="xs">
        Detonators
      </PageLink>
      <PageHead
        title={task_name}
        description={[title === task_name ? '' : title, description].filter(Boolean).join(' · ')}
        after={<DetonatorState detonator={detonator} />}
        actions={may('modify detonators') && <Actions detonator={detonator} />}
      />
      <StateAlert detonator={detonator} />
      <DetonatorOverview detonator={detonator} />
      {may('read detonations') && (
        <div style={{ marginTop: 'var(--mantine-spacing-md)' }}>
          <Card
            title="Latest detonations"
            actions={
              <PageLink to="/detonations" search={{ detonator: id }}>
                Show all
              </PageLink>
            }
          >
            <DetonationList
              parameters={{ 'filter[detonator]': id, limit: 10 }}
              isCut
              isOfOne
              empty="No samples have been submitted yet."
            />
          </Card>
        </div>
      )}
    </>
  )
}

function StateAlert({ detonator }: { readonly detonator: Detonator }) {
  const { color, reason, remedy } = stateInWords(detonator)
  if (reason === null && remedy === null) return null
  return (
    <Alert color={color === 'green' || color === 'gray' ? 'blue' : color} variant="light" mb="md">
      <Group justify="space-between">
        <Text size="sm" style={{ flex: '1 1 14rem', overflowWrap: 'anywhere' }}>
          {defangText([reason, remedy].filter(Boolean).join(' '))}
        </Text>
        <ResumeDetonator detonator={detonator} />
      </Group>
    </Alert>
  )
}

function Actions({ detonator }: { readonly detonator: Detonator }) {
  const navigate = useNavigate()
  const url = useUrlState()
  const isEdited = url.get('settings') !== ''
  const { id, task_name: name, is_active } = detonator
  const isSetUp = is_active || missingParameters(detonator).length === 0
  const close = () => url.set({ settings: null }, true)
  return (
    <>
      <Group gap="sm">
        {isSetUp && <ActiveSwitch kind={DETONATORS} of={{ id, name, is_active }} label="Active" />}
        <Button variant={isSetUp ? 'default' : 'filled'} onClick={() => url.set({ settings: 'true' }, true)}>
          {isSetUp ? 'Settings' : 'Set up'}
        </Button>
        <ConfirmButton
          label="Delete"
          title={`Delete “${name}”?`}
          confirm="Delete detonator"
          onConfirm={async () => {
            await call('DELETE', `detonators/${id}`)
            await navigate({ to: '/detonators' as never })
            showToast(`Detonator “${name}” deleted`)
            await invalidate('detonators', 'detonations', 'observables', 'entities')
          }}
        >
          This also deletes its source, its detonations and everything they found: analyses, verdicts and attachments.
          It cannot be undone.
        </ConfirmButton>
      </Group>
      {isEdited && (
        <Modal opened onClose={close} title={`Settings of ${name}`} size="xl">
          <DetonatorForm
            detonator={detonator}
            onCancel={close}
            onSaved={() => {
              close()
              showToast('Changes saved')
              void invalidate('detonators', 'detonations')
            }}
          />
        </Modal>
      )}
    </>
  )
}
