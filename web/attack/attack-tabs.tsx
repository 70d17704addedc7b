import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useMay } from '../api/session.ts'
import { ATTACK_SECTIONS, scopeOf, sectionAt } from './attack-sections.ts'
import classes from './attack-tabs.module.css'
import { openReviewsQuery } from './frameworks/review.ts'

/** Links between the pages about attack frameworks, shown at the top of each. */
export function AttackTabs() {
  const canRead = useMay()('read attack')
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const search = useRouterState({ select: ({ location }) => location.search }) as Readonly<Record<string, unknown>>
  const reviews = useQuery({ ...openReviewsQuery, enabled: canRead })
  const here = sectionAt(path)
  const current = useRef<HTMLAnchorElement>(null)
  // On phones the tabs do not fit.
  useEffect(() => {
    // In braces: newer browsers return a promise, which React would call as the clean-up.
    current.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [])
  if (!canRead) return null
  return (
    <nav aria-label="ATT&CK" className={classes.tabs}>
      {ATTACK_SECTIONS.map((section) => {
        const { to, label, isScoped } = section
        const isHere = section === here
        // Query parameters are not part of the route types.
        const target = { to, ...(isScoped && here?.isScoped && { search: scopeOf(search) }) } as { to: string }
        return (
          <Link
            key={to}
            {...target}
            {...(isHere && { ref: current, 'aria-current': 'page' })}
            // Its own idea of the current page is every page whose path begins with that of the link.
            activeOptions={{ exact: true, includeSearch: false }}
            className={classes.tab}
          >
            {label}
            {to === '/attack/reviews' && (reviews.data ?? 0) > 0 && (
              <Badge size="xs" className={classes.count ?? ''} aria-label={`${reviews.data} open`}>
                {reviews.data?.toLocaleString('en')}
              </Badge>
            )}
          </Link>
        )
      })}
    </nav>
  )
}
