package io.github.liquidscheduler.lab.conformance;

import io.github.liquidscheduler.lab.conformance.peer.CaseOutcome;
import io.github.liquidscheduler.lab.conformance.peer.CaseRunner;
import io.github.liquidscheduler.lab.conformance.peer.Facts;
import io.github.liquidscheduler.lab.conformance.peer.PeerCase;
import io.github.liquidscheduler.lab.domains.DomainAssignment;
import io.github.liquidscheduler.lab.domains.TaskGroup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which domains sets of tasks go to, one after another; a leader goes with its workers. */
final class TopologyRunner implements CaseRunner {

  @Override
  public CaseOutcome run(PeerCase peerCase) {
    TopologyCase stated = new TopologyCase(peerCase.facts());
    Map<String, Object> groups = new LinkedHashMap<>();
    for (List<Facts> together : stated.coLocated()) {
      groups.putAll(together.getFirst().reading(() -> placed(stated, together)));
    }
    return new CaseOutcome.Ran(Map.of("groups", groups));
  }

  private static Map<String, Object> placed(TopologyCase stated, List<Facts> together) {
    Map<String, Object> groups = new LinkedHashMap<>();
    Facts workers = TopologyCase.workers(together);
    Optional<Facts> leader =
        together.stream()
            .filter(group -> !group.text("name").equals(workers.text("name")))
            .findFirst();
    TaskGroup group = stated.group(workers, leader);
    Optional<DomainAssignment> assignment = stated.assign(workers, group);
    assignment.ifPresent(placed -> stated.take(workers, group, placed));
    groups.put(
        workers.text("name"),
        assignment.map(placed -> stated.written(placed.parts())).orElse(notPlaced()));
    leader.ifPresent(
        one ->
            groups.put(
                one.text("name"),
                assignment
                    .flatMap(DomainAssignment::leader)
                    .map(path -> stated.written(List.of(new DomainAssignment.Part(path, 1))))
                    .orElse(notPlaced())));
    return groups;
  }

  private static Map<String, Object> notPlaced() {
    return Map.of("placed", false);
  }
}
