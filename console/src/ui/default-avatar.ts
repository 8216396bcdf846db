/** The picture of somebody who has none; it comes with the code, because a request of its own weighs more than it does. */
export const defaultFace =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'%3E%3Crect width='64' height='64' fill='%23dbe4f0'/%3E%3Ccircle cx='32' cy='25' r='11' fill='%237f93b2'/%3E%3Cpath d='M10 58c2-13 11-19 22-19s20 6 22 19v6H10z' fill='%237f93b2'/%3E%3C/svg%3E"
