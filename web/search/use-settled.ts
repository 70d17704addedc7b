import { useEffect, useState } from 'react'

/** True once a condition has held for a moment, so that expensive work starts after the first render. */
export function useSettled(is: boolean, ms = 120): boolean {
  const [isSettled, setIsSettled] = useState(false)
  useEffect(() => {
    if (!is) return setIsSettled(false)
    const later = setTimeout(() => setIsSettled(true), ms)
    return () => clearTimeout(later)
  }, [is, ms])
  return is && isSettled
}
