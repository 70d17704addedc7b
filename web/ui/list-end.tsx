import { Button, Center } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

type Endless = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>

/** Loads the next page of a list when it is scrolled into view or its button is clicked. */
export function ListEnd({ list: { hasNextPage, isFetchingNextPage, fetchNextPage } }: { readonly list: Endless }) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = end.current
    if (!element || !hasNextPage || isFetchingNextPage) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void fetchNextPage()
      },
      { rootMargin: '300px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  if (!hasNextPage) return null
  return (
    <Center ref={end} py="sm">
      <Button variant="subtle" size="compact-sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Load more
      </Button>
    </Center>
  )
}
