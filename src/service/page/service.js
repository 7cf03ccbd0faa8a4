// Talks to the service: requests, what it says when it refuses, and whether it is there.

/// What the service answers instead of a result, or that it does not answer.
export class Refusal extends Error {
  constructor(message, status = 0, wait = 0) { super(message); Object.assign(this, {status, wait}); }  // wait [s]: as Retry-After says
  get isGone() { return this.status === 0; }
  /// The same request may be answered later: nobody answers, there is no room, or a proxy has lost the service.
  get isPassing() { return [0, 502, 503, 504].includes(this.status); }
}

/// Where an entry stands in the body of a request says nothing to who sees a form.
const inWordsOfThePage = sentence => sentence.replace(/^request: (cases\[0\]\.)?/, "");

export const pause = (seconds, signal) => new Promise((done, failed) => {
  const timer = setTimeout(done, 1000 * seconds);
  signal?.addEventListener("abort", () => { clearTimeout(timer); failed(signal.reason); });
});

export class Service {
  /// asked() is called where a token is wanted.
  constructor(asked) { Object.assign(this, {asked, token: sessionStorage.getItem("token") ?? ""}); }

  useToken(token) {
    this.token = token;
    sessionStorage.setItem("token", token);
  }

  /// A response with status 2xx; throws Refusal, or AbortError of the signal. A busy service is asked again, up to attempts times.
  async ask(path, {method = "GET", body, type = "application/json", accept = "application/json", signal, attempts = 6} = {}) {
    const headers = {Accept: accept, ...(body === undefined ? {} : {"Content-Type": type}),
      ...(this.token ? {Authorization: `Bearer ${this.token}`} : {})};
    for (let attempt = 1; ; ++attempt) {
      let response;
      try {
        response = await fetch(path, {method, headers, body, signal});
      } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new Refusal(`the service does not answer (${error.message})`);
      }
      if (response.ok) return response;
      const wait = Number(response.headers.get("Retry-After"));
      if (response.status !== 503 || !wait || attempt === attempts) throw await this.refusalOf(response);
      await pause(Math.min(wait, 5), signal);
    }
  }

  async refusalOf(response) {
    if (response.status === 401) this.asked();
    const wait = Number(response.headers.get("Retry-After")) || 0;
    try {
      return new Refusal(inWordsOfThePage((await response.json()).detail), response.status, wait);
    } catch {
      return new Refusal(`the service answers with ${response.status}`, response.status, wait);
    }
  }

  async json(path, given) { return (await this.ask(path, given)).json(); }

  post(path, body, given = {}) { return this.ask(path, {method: "POST", body: JSON.stringify(body), ...given}); }

  /// Returns when the service answers again.
  async back() {
    for (;;) {
      await pause(1);
      try { if ((await fetch("v1/health")).ok) return; } catch { /* not yet */ }
    }
  }
}
