/**
 * The beginning and the end of every planner: from a request to a problem, and from gang
 * assignments to a plan with its certificate.
 */
@NullMarked
package io.github.liquidscheduler.planner.plan;

import org.jspecify.annotations.NullMarked;
