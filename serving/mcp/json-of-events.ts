/** The answer within a stream of events, for who takes no stream: what comes before it, such as progress, is left out. */
const line = /^data: ?(.*)$/gm

export async function jsonOfEvents(response: Response): Promise<string> {
  const data = [...(await response.text()).matchAll(line)].map(([, json = '']) => json)
  return data.findLast((json) => json.includes('"id"')) ?? ''
}
