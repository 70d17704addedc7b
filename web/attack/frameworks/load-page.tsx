import { Alert, Badge, Group, List, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { oneQuery } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { Moment } from '../../ui/moment.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { sizeInWords } from '../../ui/size-in-words.ts'
import { showToast } from '../../ui/toasts.tsx'
import { counted } from '../analyses/analysis.ts'
import { AttackTabs } from '../attack-tabs.tsx'
import { ChangeReportView } from './change-report-view.tsx'
import { frameworkName, LOADS, type ReportedLoad } from './framework.ts'
import { StateOfLoad } from './load-state.tsx'
import { discardPreview, loadVersion } from './load-version.ts'
import { UndoLoad } from './undo-load.tsx'
import { consequencesOf, remappedInWords } from './uses.ts'
import { UsesTable } from './uses-table.tsx'

/** The page of a load: what it changes before it is confirmed, and what it changed afterwards. */
export function LoadPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const canRead = useMay()('read attack')
  const query = useQuery({ ...oneQuery<ReportedLoad>(`${LOADS}/${id}`), enabled: canRead })
  return (
    <>
      <AttackTabs />
      {query.data ? (
        <Content load={query.data} />
      ) : (
        <>
          <PageHead title="Version of a framework" />
          <LoadFault query={query} />
          {canRead ? (
            query.isPending && <Skeleton h={320} role="status" aria-label="Loading report" />
          ) : (
            <NoPermission permission="read attack" />
          )}
        </>
      )}
    </>
  )
}

function Content({ load }: { readonly load: ReportedLoad }) {
  const { matrix, version, previous_version, report } = load
  const hasUses = report.uses.length + report.renamed_uses.length > 0
  return (
    <Stack gap="md">
      <PageHead
        title={`${frameworkName(matrix)} ${version}`}
        after={
          <>
            <StateOfLoad state={load.state} />
            {load.is_downgrade && (
              <Badge variant="light" radius="xs" color="orange">
                Older version
              </Badge>
            )}
          </>
        }
        description={
          previous_version === version ? 'The version that was stored already' : `Replaces ${previous_version}`
        }
        actions={<Actions load={load} />}
      />
      <Outcome load={load} />
      {report.warnings.length > 0 && (
        <Alert color="orange" variant="light" title={load.state === 'preview' ? 'Check before you load' : 'Warnings'}>
          <Sentences texts={report.warnings} />
        </Alert>
      )}
      <LoadFacts load={load} />
      {hasUses && (
        <Stack gap="xs">
          <Title order={2} size="h3">
            In use here
          </Title>
          <UsesTable report={report} matrix={matrix} />
        </Stack>
      )}
      <Stack gap="xs">
        <Title order={2} size="h3">
          What changes in the framework
        </Title>
        <ChangeReportView report={report} />
      </Stack>
    </Stack>
  )
}

function Actions({ load }: { readonly load: ReportedLoad }) {
  const mayChange = useMay()('modify attack')
  const navigate = useNavigate()
  if (load.can_undo) return <UndoLoad load={load} size="sm" />
  if (load.state !== 'preview' || !mayChange) return null
  const name = `${frameworkName(load.matrix)} ${load.version}`
  const discard = async () => {
    await discardPreview(load.id)
    await navigate({ to: '/attack/frameworks' })
    showToast(`Preview of ${name} discarded`)
  }
  const apply = async () => {
    await loadVersion(load.id)
    showToast(`${name} is loaded`)
  }
  return (
    <>
      <ConfirmButton
        label="Discard"
        title="Discard this preview?"
        confirm="Discard preview"
        onConfirm={discard}
        button={{ variant: 'default', color: 'gray' }}
      >
        The uploaded version and its report are deleted. Nothing else changes. Previews are also deleted after a week.
      </ConfirmButton>
      <ConfirmButton
        label="Load this version"
        title={`Load ${name}?`}
        confirm={`Load ${load.version}`}
        progress="This can take a minute. It continues if you leave the page."
        onConfirm={apply}
        button={{ variant: 'filled', color: 'corvus' }}
        confirmColor="corvus"
      >
        <Stack gap="xs">
          <List size="sm" spacing={4}>
            {consequencesOf(load.report).map((sentence) => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
          </List>
          <Text size="sm">It happens at once or not at all, and can be undone.</Text>
        </Stack>
      </ConfirmButton>
    </>
  )
}

/** What the load means for what is stored here. */
function Outcome({ load }: { readonly load: ReportedLoad }) {
  if (load.state === 'preview')
    return (
      <Alert color="yellow" variant="light" title="Nothing has changed yet">
        <Sentences texts={consequencesOf(load.report)} />
      </Alert>
    )
  if (load.state === 'undone')
    return (
      <Alert color="gray" variant="light" title="Undone">
        What this load changed was changed back.
      </Alert>
    )
  return (
    <Alert color="green" variant="light" title="Loaded" role="status">
      {load.remapped && remappedInWords(load.remapped)}{' '}
      {load.open_reviews > 0 && (
        <>
          {counted(load.open_reviews, 'node has', 'nodes have')} several successors.{' '}
          <PageLink to="/attack/reviews" search={{ matrix: load.matrix }} inherit fw={600}>
            Review {load.open_reviews === 1 ? 'it' : 'them'}
          </PageLink>
        </>
      )}
    </Alert>
  )
}

const Sentences = ({ texts }: { readonly texts: readonly string[] }) => (
  <List size="sm" spacing={2}>
    {texts.map((text) => (
      <List.Item key={text}>{text}</List.Item>
    ))}
  </List>
)

function LoadFacts({ load }: { readonly load: ReportedLoad }) {
  const users = useNames('users')
  const at = (time: string | null, by: string | null) => (
    <Group gap={6}>
      <Moment at={time} />
      {by !== null && <Text size="sm">by {nameOf(users, by)}</Text>}
    </Group>
  )
  return (
    <Facts
      columns={4}
      facts={[
        ['From', defangText(load.origin)],
        ['Size', sizeInWords(load.size)],
        ['Compared', at(load.created_at, load.created_by)],
        ...(load.loaded_at ? [['Loaded', at(load.loaded_at, load.loaded_by)] as const] : []),
        ...(load.undone_at ? [['Undone', at(load.undone_at, load.undone_by)] as const] : []),
      ]}
    />
  )
}
