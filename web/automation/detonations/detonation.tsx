import { Alert, Button, Group, List, Menu, Skeleton, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { type PageTab, PageTabs } from '../../ui/page-tabs.tsx'
import { showErrorToast } from '../../ui/toasts.tsx'
import { DetonateDialog } from './detonate-dialog.tsx'
import { type Detonation, detonationQuery, isUnderWay } from './detonation-queries.ts'
import { DetonationProgress, DetonationState, VerdictBadge } from './detonation-state.tsx'
import { remedyOf, STATES, sampleName } from './detonation-words.ts'
import { ExtractsTab } from './extracts-tab.tsx'
import { ProcessTree } from './process-tree.tsx'
import { ReportSummary } from './report-summary.tsx'
import { DroppedFiles, NetworkTable } from './report-tables.tsx'
import { sampleOf } from './sample.ts'
import { useMayDetonate } from './use-may-detonate.ts'

/** The page of a detonation: its progress, and then its report. */
export function DetonationPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const canRead = useMay()('read detonations')
  const found = useQuery({ ...detonationQuery(id), enabled: canRead })
  if (canRead && found.data) return <Opened key={id} detonation={found.data} />
  return (
    <>
      <PageHead title="Detonation" />
      {!canRead && <NoPermission permission="read detonations" />}
      {canRead && <LoadFault query={found} />}
      {canRead && found.isPending && <Skeleton h={320} role="status" aria-label="Loading detonation" />}
    </>
  )
}

function Opened({ detonation }: { readonly detonation: Detonation }) {
  return (
    <>
      <PageLink to="/detonations" size="xs">
        Detonations
      </PageLink>
      <PageHead
        title={sampleName(detonation)}
        description={detonation.kind === 'url' ? 'Detonation of a URL' : 'Detonation of a file'}
        after={
          <>
            <DetonationState state={detonation.state} />
            <VerdictBadge verdict={detonation.verdict} score={detonation.score} />
          </>
        }
        actions={<Actions detonation={detonation} />}
      />
      <Stack>
        {isUnderWay(detonation) && (
          <Card title="In progress" description="This page is updated on its own.">
            <DetonationProgress detonation={detonation} />
          </Card>
        )}
        <Ending detonation={detonation} />
        <Warnings warnings={detonation.warnings} />
        {detonation.state === 'FINISHED' ? (
          <PageTabs tabs={tabsOf(detonation)} of={detonation} />
        ) : (
          <ReportSummary detonation={detonation} />
        )}
      </Stack>
    </>
  )
}

function tabsOf({ extracts, processes, network, dropped_files }: Detonation): readonly PageTab<Detonation>[] {
  const counted = (label: string, { length }: { readonly length: number }) =>
    length === 0 ? label : `${label} (${length.toLocaleString('en')})`
  return [
    { name: 'summary', label: 'Summary', show: (detonation) => <ReportSummary detonation={detonation} /> },
    {
      name: 'observables',
      label: counted('Observables', extracts),
      show: (detonation) => <ExtractsTab detonation={detonation} />,
    },
    {
      name: 'processes',
      label: counted('Processes', processes),
      show: (detonation) => <ProcessTree processes={detonation.processes} />,
    },
    {
      name: 'network',
      label: counted('Network', network),
      show: (detonation) => <NetworkTable network={detonation.network} />,
    },
    {
      name: 'files',
      label: counted('Dropped files', dropped_files),
      show: (detonation) => <DroppedFiles dropped_files={detonation.dropped_files} />,
    },
  ]
}

/** Why there is no report, and what to do. */
function Ending({ detonation }: { readonly detonation: Detonation }) {
  const remedy = remedyOf(detonation)
  if (remedy === null) return null
  const { state, state_reason } = detonation
  return (
    <Alert color={STATES[state].color} variant="light" title={STATES[state].label}>
      {[state_reason && defangText(state_reason), remedy].filter(Boolean).join(' ')}
    </Alert>
  )
}

function Warnings({ warnings }: Pick<Detonation, 'warnings'>) {
  if (warnings.length === 0) return null
  return (
    <Alert color="yellow" variant="light" title="Not everything in the report is shown here">
      <List size="sm">
        {warnings.map((warning) => (
          <List.Item key={warning}>{defangText(warning)}</List.Item>
        ))}
      </List>
    </Alert>
  )
}

function Actions({ detonation }: { readonly detonation: Detonation }) {
  const mayDetonate = useMayDetonate()
  const [isAgain, setIsAgain] = useState(false)
  const { id, vendor_url, report_url, sample_url } = detonation
  const cancelled = useMutation({
    mutationFn: () => call('POST', `detonations/${id}/cancel`),
    onSuccess: () => invalidate('detonations'),
    onError: showErrorToast,
  })
  return (
    <Group gap="sm">
      {vendor_url !== null && (
        <Button variant="default" component="a" href={vendor_url} target="_blank" rel="noopener noreferrer">
          Analysis at the vendor ↗
        </Button>
      )}
      {(report_url || sample_url) && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" leftSection={<Icon name="download" />}>
              Download
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {report_url && (
              <Menu.Item component="a" href={`/api/v2/detonations/${id}/report`} download>
                Raw report
              </Menu.Item>
            )}
            {sample_url && (
              <Menu.Item component="a" href={`/api/v2/detonations/${id}/sample`} download>
                Sample (zip, password “infected”)
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {mayDetonate && isUnderWay(detonation) && (
        <Button variant="light" color="red" loading={cancelled.isPending} onClick={() => cancelled.mutate()}>
          Cancel detonation
        </Button>
      )}
      {mayDetonate && !isUnderWay(detonation) && <Button onClick={() => setIsAgain(true)}>Detonate again</Button>}
      {isAgain && <DetonateDialog sample={sampleOf(detonation)} onClose={() => setIsAgain(false)} />}
    </Group>
  )
}
