import type { ResourceModel } from "../../model/model.ts";
import type { FollowTerm } from "../aggregate/group-rows.ts";
import { compileFilter } from "../evaluate-filter.ts";
import type { Evaluation } from "../evaluation.ts";

/** Follows the relations of group terms within the data of a read. */
export function followTerm(evaluation: Evaluation): FollowTerm {
  return (relation, filter) => {
    const target = evaluation.model.resources.get(relation.target) as ResourceModel;
    const matches = filter === undefined ? undefined : compileFilter(filter, target, evaluation);
    return (row) => {
      const all = evaluation.related(relation, row);
      return matches === undefined ? all[0] : all.find(matches);
    };
  };
}
