package io.github.liquidscheduler.lab.conformance;

import io.github.liquidscheduler.lab.conformance.peer.Facts;

/** Which nodes keep tasks away that do not tolerate them, as Kubernetes says. */
final class Taints {

  private static final String PREFERENCE = "PreferNoSchedule";

  private Taints() {}

  /** Returns whether tasks tolerate all taints of a node. */
  static boolean allow(Facts node, Facts tasks) {
    return node.objects("taints").stream()
        .filter(taint -> !taint.ifText("effect").orElse("").equals(PREFERENCE))
        .allMatch(
            taint ->
                tasks.objects("tolerations").stream()
                    .anyMatch(toleration -> tolerates(toleration, taint)));
  }

  private static boolean tolerates(Facts toleration, Facts taint) {
    boolean exists = toleration.ifText("operator").orElse("Equal").equals("Exists");
    boolean key = !toleration.has("key") || toleration.ifText("key").equals(taint.ifText("key"));
    boolean value = exists || toleration.ifText("value").equals(taint.ifText("value"));
    boolean effect =
        !toleration.has("effect") || toleration.ifText("effect").equals(taint.ifText("effect"));
    return key && value && effect;
  }
}
