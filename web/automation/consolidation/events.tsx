import { useMay } from '../../api/session.ts'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { EventList } from './event-list.tsx'
import { POLICIES } from './policy.ts'

/** The history of consolidation. */
export function ConsolidationEvents() {
  const may = useMay()
  const canRead = may('read entities')
  return (
    <>
      {may(`read ${POLICIES.permission}`) && (
        <PageLink to={POLICIES.page} size="xs">
          {POLICIES.title}
        </PageLink>
      )}
      <PageHead
        title="Consolidation history"
        description="Which entities became contributors of a unified entity, why, and what was undone."
      />
      {canRead ? <EventList /> : <NoPermission permission="read entities" />}
    </>
  )
}
