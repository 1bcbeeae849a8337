/**
 * What is asked of GitHub: three GraphQL documents and nothing else (review.md 5, "Data requested";
 * `docs/review-network.md` lists them for a reader).
 *
 * @module
 */

const REPOSITORY = "nameWithOwner isPrivate";
const PAGE = "pageInfo { hasNextPage endCursor }";
const PERSON = "login ... on Node { id }";
// When the provider refuses later, the last answer tells when it will not.
const LIMIT = "rateLimit { resetAt }";

/** Pull requests, newest first. */
export const PULL_REQUESTS_QUERY =
  `query($owner: String!, $name: String!, $first: Int!, $after: String) {
  ${LIMIT}
  repository(owner: $owner, name: $name) {
    ${REPOSITORY}
    pullRequests(first: $first, after: $after, orderBy: {field: CREATED_AT, direction: DESC}) {
      ${PAGE}
      nodes {
        number title body url createdAt merged mergedAt headRefOid baseRefOid headRefName
        milestone { title }
        author { ${PERSON} }
        mergeCommit { oid }
        labels(first: 50) { pageInfo { hasNextPage } nodes { name } }
        closingIssuesReferences(first: 20) { pageInfo { hasNextPage } nodes { number } }
        commits(last: 1) { nodes { commit { statusCheckRollup { state } } } }
      }
    }
  }
}`;

/** Review threads of one pull request, with their comments. */
export const THREADS_QUERY =
  `query($owner: String!, $name: String!, $number: Int!, $first: Int!, $after: String) {
  ${LIMIT}
  repository(owner: $owner, name: $name) {
    ${REPOSITORY}
    pullRequest(number: $number) {
      number
      reviewThreads(first: $first, after: $after) {
        ${PAGE}
        nodes {
          id isResolved isOutdated path line startLine
          resolvedBy { ${PERSON} }
          comments(first: 100) {
            pageInfo { hasNextPage }
            nodes { id body createdAt originalCommit { oid } author { ${PERSON} } }
          }
        }
      }
    }
  }
}`;

/** Reviews of one pull request. */
export const REVIEWS_QUERY =
  `query($owner: String!, $name: String!, $number: Int!, $first: Int!, $after: String) {
  ${LIMIT}
  repository(owner: $owner, name: $name) {
    ${REPOSITORY}
    pullRequest(number: $number) {
      number
      reviews(first: $first, after: $after) {
        ${PAGE}
        nodes { id body state submittedAt author { ${PERSON} } }
      }
    }
  }
}`;
